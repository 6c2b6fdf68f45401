import type { Domain } from "@reelmill/contracts";
import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Field } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { Unsaved } from "../../components/unsaved.tsx";

/** The address that events are sent to. */
export function Endpoint({ domain }: { domain: Domain }) {
	const url = domain.config.webhook_url;
	const [typed, setTyped] = useState<string | null>(null);
	const [isStopping, setIsStopping] = useState(false);
	const save = useAction("updateDomainConfig", {
		changes: ["getDomain"],
		onSuccess: () => {
			setTyped(null);
			setIsStopping(false);
		},
	});
	const text = typed ?? url ?? "";
	const isChanged = typed !== null && typed !== (url ?? "");
	return (
		<Panel
			title="Endpoint"
			actions={
				url !== null && (
					<Button kind="quiet" size="small" onPress={() => setIsStopping(true)}>
						Stop sending
					</Button>
				)
			}
		>
			<form
				className="stack"
				onSubmit={(event) => {
					event.preventDefault();
					if (isChanged && text !== "") save.mutate({ body: { webhook_url: text.trim() } });
				}}
			>
				<Field
					label="Address"
					type="url"
					value={text}
					onChange={setTyped}
					placeholder="https://example.com/hooks/video"
					hint="A public http or https address of at most 500 characters. Answer with 2xx within 10 seconds, or the event is sent again, up to six times in all."
				/>
				<Unsaved isChanged={isChanged} />
				{!isStopping && <Problem error={save.error} />}
				<div className="row">
					<Button type="submit" isPending={save.isPending} isDisabled={!isChanged || text === ""}>
						Save address
					</Button>
					{isChanged && (
						<Button kind="quiet" onPress={() => setTyped(null)}>
							Undo
						</Button>
					)}
				</div>
			</form>
			<Confirm
				title="Stop sending events?"
				verb="Stop sending"
				isOpen={isStopping}
				isPending={save.isPending}
				error={save.error}
				onConfirm={() => save.mutate({ body: { webhook_url: null } })}
				onClose={() => {
					setIsStopping(false);
					save.reset();
				}}
			>
				<p>
					Events that happen from now on are neither sent nor logged, so you can't replay them later. To start again,
					set the address. The secret stays.
				</p>
			</Confirm>
		</Panel>
	);
}
