export * from "../upload-routes/express.ts";
export * from "../webhooks/express.ts";
