export * from "../upload-routes/hono.ts";
export * from "../webhooks/hono.ts";
