export { createImports, type Imports, type ImportsNoun } from "./imports.ts";
