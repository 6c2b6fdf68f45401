import { relative } from "node:path";
import { expect } from "vitest";
import { root } from "../setup/paths.mjs";
import { enterCpuGroup } from "./cpu.ts";

// Vitest runs this before each test file: what its worker takes until the next file is this one's.
enterCpuGroup(relative(root, expect.getState().testPath ?? "no test"));
