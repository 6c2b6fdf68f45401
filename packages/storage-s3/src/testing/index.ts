export { createTestBucket, type TestBucket } from "./bucket.ts";
export { startTestGateway, type TestGateway, type TestGatewayOptions, type TestServer } from "./gateway.ts";
export { MissingProgramError } from "./programs.ts";
