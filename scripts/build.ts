import { types } from "./checks/static-checks.ts";
import { buildPackages } from "./packages/build.ts";
import { prove } from "./programs/steps.ts";

await prove([types, { name: "build", run: buildPackages }]);
