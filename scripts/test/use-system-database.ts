import { inject } from "vitest";

const { url, template } = inject("systemDatabase");
process.env.REELMILL_TEST_DATABASE_URL = url;
process.env.REELMILL_TEST_DATABASE_TEMPLATE = template;
