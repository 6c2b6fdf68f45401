/** A worker's name; its service account stands before it if the two differ. */
export const workerName = (name: string): string => {
	const [account, ...worker] = name.split("/");
	return worker.join("/") === account ? account : name;
};
