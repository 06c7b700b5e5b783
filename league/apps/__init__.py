"""Apps that hang on the spine: a folder is one capability, with all that is its own."""
