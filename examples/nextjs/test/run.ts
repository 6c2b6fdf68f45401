import { startApplication } from "./application.ts";

const { address, stop } = await startApplication("./nextjs-data");
console.log(`Open ${address}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
