export * from "./idiomorph";
