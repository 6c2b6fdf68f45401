import { createWorker } from "@reelmill/edge/workers";

export default createWorker({
	service: "https://origin.example.com",
	domains: ["6f1c2f0e-2f0b-4e0a-9d51-0a5a4f1f6a11"],
	warn: console.warn,
});
