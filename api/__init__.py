"""HTTP in front of services and selectors."""
