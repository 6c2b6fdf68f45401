/** A worker by its name, with the service account before it if that has another one. */
export const workerName = (name: string): string => {
	const [account, ...worker] = name.split("/");
	return worker.join("/") === account ? account : name;
};
