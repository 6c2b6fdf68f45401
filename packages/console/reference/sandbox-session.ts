import { defineComponent, h, ref } from "vue";

/** The kinds of credentials that the key of a sandbox session can stand for. */
export type Credential = "domainKey" | "sandboxKey";

/** Mints the key of a sandbox session. Rejects with what to tell the reader. */
async function mint(address: string): Promise<{ key: string; expiresAt: Date }> {
	const url = `${address}/v1/sandbox/session`;
	const answer = await fetch(url, { method: "POST", credentials: "omit", referrerPolicy: "no-referrer" }).catch(() => {
		throw new Error(`No server answers this page at ${address}.`);
	});
	const body = await answer.json().catch(() => ({}));
	if (answer.ok) return { key: body.api_key, expiresAt: new Date(body.expires_at) };
	throw new Error(
		answer.status === 404 ? "This server has no sandbox." : (body.message ?? `It answered ${answer.status}.`),
	);
}

/** Offers a key to try the API with, and asks which server to try it on if the page lies on none. */
export const SandboxSession = defineComponent({
	props: { address: { type: String, required: true }, isChosen: { type: Boolean, required: true } },
	emits: { address: (_typed: string) => true, key: (_key: string) => true },
	setup(props, { emit }) {
		const said = ref("");
		const isBusy = ref(false);
		const open = async () => {
			isBusy.value = true;
			try {
				const { key, expiresAt } = await mint(props.address);
				emit("key", key);
				said.value = `Requests now carry the key of a sandbox session, good until ${expiresAt.toLocaleString()}.`;
			} catch (error) {
				said.value = (error as Error).message;
			}
			isBusy.value = false;
		};
		const typed = (event: Event) =>
			emit("address", (event.target as HTMLInputElement).value.trim().replace(/\/+$/, ""));
		const field = () =>
			h("label", ["Server", h("input", { type: "url", value: props.address, spellcheck: false, onChange: typed })]);
		return () =>
			h("section", { class: "sandbox-session", "aria-label": "Try it" }, [
				h("div", [
					h("p", [
						h("strong", "Try it. "),
						props.isChosen
							? "Take the key of a sandbox session of your server. A key of your own works at the server's own page, /docs. "
							: "Give a key of your own under Authentication, or take that of a sandbox session. ",
						"A session lasts a day and sees only what was made with it. The page forgets keys when it closes.",
					]),
					props.isChosen ? field() : null,
					h("button", { type: "button", disabled: isBusy.value, onClick: open }, "Get a sandbox session"),
					h("p", { role: "status" }, said.value),
				]),
			]);
	},
});
