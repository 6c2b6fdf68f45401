#!/usr/bin/env node
import { neededNode } from "@reelmill/settings/needed-node";

// An older Node may not even be able to read the rest, so it is loaded only now.
if (neededNode(process)) await import("./program.ts");
