import { configuration } from "./rules.mjs";

export default configuration("runtime");
