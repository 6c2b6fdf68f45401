import { parseAllDocuments } from "yaml";

type EnvironmentEntry = {
	readonly name: string;
	readonly value?: string;
	readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
};
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } };
type Container = {
	readonly command: readonly string[];
	readonly env: readonly EnvironmentEntry[];
	readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
	readonly startupProbe: Probe;
	readonly livenessProbe: Probe;
	readonly readinessProbe: Probe;
};
type Manifest = {
	readonly kind: string;
	readonly metadata: { readonly name: string };
	readonly stringData?: Readonly<Record<string, string>>;
	readonly spec: {
		readonly template?: { readonly spec: { readonly containers: readonly Container[] } };
		readonly ports?: readonly { readonly targetPort: string }[];
	};
};

/** What a pod's program is started with. */
export type Pod = {
	readonly deployment: string;
	readonly command: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	/** The ports that the container names. */
	readonly ports: Readonly<Record<string, number>>;
	/** The port's name and the path of each probe. */
	readonly probes: readonly (readonly [port: string, path: string])[];
};

/** Reads the pods of what helm rendered, secrets included, and the ports that Services lead to. */
export function readPods(rendered: string): { readonly pods: readonly Pod[]; readonly targets: readonly string[] } {
	const manifests = parseAllDocuments(rendered)
		.map((document) => document.toJS() as Manifest | null)
		.filter((manifest) => manifest !== null);
	const secrets = new Map(
		manifests.flatMap(({ kind, metadata, stringData = {} }) =>
			kind === "Secret" ? [[metadata.name, stringData]] : [],
		),
	);
	const services = manifests.filter(({ kind }) => kind === "Service");
	const textOf = ({ name, value, valueFrom }: EnvironmentEntry): string => {
		const { name: secret = "", key = "" } = valueFrom?.secretKeyRef ?? {};
		const found = value ?? secrets.get(secret)?.[key];
		if (found === undefined) throw new Error(`${name} has no value: the Secret ${secret} has no ${key}`);
		return found;
	};
	const pods = manifests.flatMap(({ kind, metadata, spec }): Pod[] =>
		kind !== "Deployment"
			? []
			: (spec.template?.spec.containers ?? []).map(({ command, env, ports, ...container }) => ({
					deployment: metadata.name,
					command,
					environment: Object.fromEntries(env.map((entry) => [entry.name, textOf(entry)])),
					ports: Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort])),
					probes: [container.startupProbe, container.livenessProbe, container.readinessProbe].map(
						({ httpGet }) => [httpGet.port, httpGet.path] as const,
					),
				})),
	);
	return { pods, targets: services.flatMap(({ spec }) => (spec.ports ?? []).map(({ targetPort }) => targetPort)) };
}
