import type { CallResult } from "@reelmill/client";
import { useState } from "react";
import { useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Code } from "../../components/copy.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { Panel } from "../../components/panel.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useDomain } from "../../frame/domain-frame.tsx";
import { EndKey } from "./end-key.tsx";
import { GraceLine } from "./grace-line.tsx";
import styles from "./keys.module.css";
import { RotateKey } from "./rotate-key.tsx";

type Key = CallResult<"listDomainKeys">["data"][number];

/** The domain's API keys, and the rotation from one to the next. */
export function Keys() {
	const query = useCall("listDomainKeys", {}, { every: 10_000 });
	const [isRotating, setRotating] = useState(false);
	const [ending, setEnding] = useState<Key | null>(null);
	const keys = query.data?.data ?? [];
	const current = keys.find(({ expires_at }) => expires_at === null);
	return (
		<Page
			title="Keys"
			actions={
				<Button kind="primary" isDisabled={query.data === undefined} onPress={() => setRotating(true)}>
					Rotate the key
				</Button>
			}
		>
			<Loaded query={query}>
				{({ data }) => (
					<div className="parts">
						{data.map(
							(key) =>
								key.expires_at !== null && (
									<Panel
										key={key.id}
										title="A rotation is under way"
										actions={
											<Button kind="danger" onPress={() => setEnding(key)}>
												End …{key.last4} now
											</Button>
										}
									>
										<GraceLine previous={key} current={current} endsAt={key.expires_at} />
									</Panel>
								),
						)}
						<KeyTable keys={data} />
						<Panel title="How to use it">
							<Usage />
						</Panel>
					</div>
				)}
			</Loaded>
			<RotateKey
				isOpen={isRotating}
				current={current}
				inGrace={keys.find(({ expires_at }) => expires_at !== null)}
				onClose={() => setRotating(false)}
			/>
			<EndKey key={ending?.id} ending={ending} onClose={() => setEnding(null)} />
		</Page>
	);
}

const KeyTable = ({ keys }: { keys: readonly Key[] }) => (
	<Table
		label="Keys that work now"
		rows={keys}
		rowKey={({ id }) => id}
		columns={[
			{ name: "Key", cell: ({ last4 }) => <code className={styles.key}>ek_…{last4}</code> },
			{
				name: "State",
				cell: ({ expires_at }) =>
					expires_at === null ? (
						<StateBadge state="active">current</StateBadge>
					) : (
						<StateBadge state="pending" tone="warn">
							still works
						</StateBadge>
					),
			},
			{ name: "Created", numeric: true, wide: true, cell: ({ created_at }) => <Time at={created_at} /> },
			{ name: "Ends", numeric: true, cell: ({ expires_at }) => <Time at={expires_at} none="–" /> },
		]}
	/>
);

function Usage() {
	const { slug } = useDomain();
	return (
		<div className="stack">
			<p className="muted">
				Your back end sends the key with every request. Keep it out of browsers and apps. You see it once, when it is
				made. If you lose it, rotate it.
			</p>
			<Code
				label={`Copy a call for ${slug}`}
				text={`curl ${location.origin}/v1/domain -H "Authorization: Bearer $REELMILL_API_KEY"`}
			/>
		</div>
	);
}
