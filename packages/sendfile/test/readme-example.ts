import { openSendFile } from "@reelmill/sendfile";

const sendFile = await openSendFile();
if (sendFile === null && process.platform === "linux")
	console.log("The kernel is older than 6.5, or a sandbox forbids cachestat(2).");

// The same server with it and without: createNodeListener(engine, { ...options, ...(sendFile !== null && { sendFile })
// })
