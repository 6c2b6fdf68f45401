import { ApiReference } from "@scalar/api-reference";
import { createApp, h, nextTick, ref } from "vue";
import "@scalar/api-reference/style.css";
import "../src/styles/tokens.css";
import "./colours.css";
import { configurationsFor } from "./configurations.ts";
import { place } from "./place.ts";
import { type Credential, SandboxSession } from "./sandbox-session.ts";

type Reference = InstanceType<typeof ApiReference>;

const address = ref(place.server);
const reference = ref<Reference | null>(null);

/** Fills in what a sandbox session opens: it stands for a domain's key wherever a session is let in. */
const use = (key: string) => {
	for (const name of ["domainKey", "sandboxKey"] satisfies Credential[])
		reference.value?.eventBus.emit("auth:update:security-scheme-secrets", {
			name,
			payload: { type: "http", "x-scalar-secret-token": key },
		});
};

/** Tries another server from now on. */
const choose = async (typed: string) => {
	address.value = typed;
	await nextTick();
	reference.value?.eventBus.emit("server:update:selected", { url: typed, meta: { type: "document" } });
};

createApp(() =>
	h(
		ApiReference,
		{ ref: reference, configuration: configurationsFor(address.value) },
		{
			"content-start": () =>
				h(SandboxSession, {
					address: address.value,
					isChosen: place.isElsewhere,
					onAddress: choose,
					onKey: use,
				}),
			// In place of its maker's own links.
			"sidebar-end": () => null,
		},
	),
).mount("#reference");
