import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { World } from "../world.ts";

export const operators = {
	"a domain from its creation to its end": async ({ one, two, again, pass }: World) => {
		const slug = `life-${randomUUID().slice(0, 18)}`;
		const created = await again(() => one.domains.create({ slug }), ["slug_already_exists"]);
		const domain = created?.domain ?? (await again(() => two.domains.findBySlug(slug)));
		if (domain === null) throw new Error("The domain is lost.");
		const { id } = domain;
		const { api_key } = await again(() => one.domains.addKey(id));
		const principal = await again(() => two.keys.authenticate(`Bearer ${api_key}`));
		await again(() => one.domains.updateConfig(id, { webhook_url: "https://tenant.example" }));
		await again(() => two.domains.rotateWebhookSecret(id));
		await again(() => two.domains.rotateKey(id, { byKey: null }));
		const { data } = await again(() => two.domains.listKeys(id));
		const previous = data.find(({ expires_at }) => expires_at !== null)?.id ?? "";
		await again(() => one.domains.endKey(id, previous), ["not_found"]);
		await again(() => one.admin.updateDomain(id, { limits: { max_concurrent_processing: 3 } }));
		await again(() => one.admin.listDomains({ limit: 10 }));
		await again(() => two.domains.get(id));
		await again(() => one.usage.get(principal));
		await again(() => one.usage.days(principal));
		await again(() => one.usage.firstSteps(principal));
		await again(() => two.audit.listOfDomain(principal, { limit: 10 }));
		await again(() => two.audit.list({ limit: 10 }));
		await again(() => one.admin.deleteDomain(id), ["domain_not_found"]);
		await pass(60);
		// The domain itself is forgotten once its videos are.
		await pass(86_400);
	},
	"accounts of workers": async ({ one, two, again }: World) => {
		const name = `w-${randomUUID().slice(0, 18)}`;
		const ensured = await again(() => one.accounts.ensure({ name }));
		const { token } = await again(() => ensured.issueToken());
		await again(() => two.accounts.authenticate(`Bearer ${token}`));
		await again(() => one.accounts.isRenewable(`Bearer ${token}`, name));
		await again(() =>
			two.accounts.keep({ name: `${name}-kept`, secret: "es_0123456789012345678901234567890123456789" }),
		);
		await again(() => one.accounts.create({ name: `${name}-made` }), ["name_already_exists"]);
		const { data } = await again(() => two.accounts.list({ limit: 100 }));
		const account = data.find((one) => one.name === `${name}-made`);
		if (!account) throw new Error("The account is lost.");
		const { secret } = await again(() => one.accounts.rotate(account.id));
		await again(() => two.accounts.issueToken({ name: account.name, secret }));
		await again(() => one.accounts.revoke(account.id));
	},
	"people at the console": async ({ one, two, again, domainId, clock }: World) => {
		const { console } = one;
		const link = await again(() => console.mintSignInLink());
		// A link works once: whose answer was lost asks for another one.
		await again(() => two.console.signIn({ link: new URL(link?.url ?? "").hash.replace(/^#?(?:link=)?/, "") })).catch(
			() => undefined,
		);
		const identity = {
			issuer: "https://login.example",
			subject: randomUUID(),
			email: "a@b.example",
			emailVerified: true,
		};
		const member = await again(() => one.console.signInAs(identity));
		const principal = await again(() => two.console.authenticate(member.token));
		await again(() => two.console.session(principal));
		clock.leap(120_000);
		await again(() => two.console.authenticate(member.token));
		await again(() => one.console.accounts.update(member.session.account.id, { domain_ids: [domainId] }));
		await again(() => console.accounts.list({ limit: 10 }));
		await again(() => console.accounts.disable(member.session.account.id));
		await again(() => console.accounts.enable(member.session.account.id));
		const { token } = await again(() => console.signIn({ secret: "a secret of the self-host kind, long enough" }));
		const admin = await again(() => two.console.authenticate(token));
		const trip = await again(() => console.roundTrips.begin());
		await again(() => two.console.roundTrips.end(trip));
		await again(() => one.console.signOut(admin));
	},
	"what operators look at": async ({ one, again, opened, principal, uploaded }: World) => {
		const id = await uploaded();
		await again(() => one.jobs.claimById(opened.worker, id, { worker: "seen" }), ["video_not_claimable"]);
		await again(() => one.admin.stats());
		await again(() => one.admin.queue());
		await again(() => one.admin.jobQueue());
		await again(() => one.admin.listJobs({ limit: 10 }));
		await again(() => one.admin.listWorkers({ limit: 10 }));
		await again(() => one.admin.system());
		await again(() => one.metrics.installation());
		await again(() => one.proveWritable());
		await again(() => one.quotas.fault(principal, 1, "key"));
		await again(() => one.videos.count(principal));
		await again(() => one.videos.cancel(principal, id), ["invalid_state"]);
	},
	"the check of rows and files": async ({ two, again, pass, uploaded }: World) => {
		await uploaded();
		await pass(7200);
		let cursor: string | null = null;
		do {
			const from: { cursor?: string } = cursor === null ? {} : { cursor };
			({ cursor } = await again(() => two.check.step({ repair: true, ...from })));
		} while (cursor !== null);
		await pass(86_400);
	},
	"what time ends": async ({ one, two, again, unlessDone, principal, pass, uploaded }: World) => {
		const id = await uploaded();
		await again(() => two.videos.delete(principal, id), ["video_not_found"]);
		await unlessDone(
			() => one.webhooks.sendTest(principal),
			async () => (await again(() => two.webhooks.listDeliveries(principal, { limit: 10 }))).data.length > 1,
		);
		for (const days of [1, 100, 500]) await pass(days * 86_400);
		await again(() => one.accounts.list({ limit: 1 }));
	},
	"a server that starts, has its duties and stops": async ({ open, again, clock }: World) => {
		const [first, second] = [open(), open()];
		await again(() => first.start());
		await again(() => second.start());
		for (let seconds = 0; seconds < 70; seconds += 5) {
			clock.leap(5000);
			await pause(5);
		}
		await first.stop();
		clock.leap(5000);
		await pause(5);
		await second.stop();
	},
};
