import { buildConsolePage } from "../console/page.mjs";

/** Builds the console's page for the tests that open it, once for all of them, if its sources are newer. */
export default () => buildConsolePage();
