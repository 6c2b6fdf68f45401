// What npm and pnpm run before they pack a package: a tarball holds what the sources are now.
import { buildPackagesOnce } from "./built.ts";

// pnpm reads what it packs from standard output.
console.log = console.error;
await buildPackagesOnce();
