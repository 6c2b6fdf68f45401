import { join } from "node:path";
import { root } from "../setup/paths.mjs";

/** Returns the path of a program among the dependencies. */
export const tool = (name: string): string => join(root, "node_modules/.bin", name);
