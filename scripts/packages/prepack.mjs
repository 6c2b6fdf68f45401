// What npm and pnpm run before they pack a package: a tarball holds what the sources are now.
import { root } from "../setup/paths.mjs";
import { buildPackagesOnce } from "./built.ts";

// pnpm reads what it packs from standard output.
console.log = console.error;
// pnpm starts this in the folder of a package, and tsup goes by the folder that it is in.
process.chdir(root);
await buildPackagesOnce();
