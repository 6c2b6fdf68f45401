export { createOutros, type Outros } from "./outros.ts";
