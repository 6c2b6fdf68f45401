import type { CallResult } from "@reelmill/client";
import { useState } from "react";
import { useCall } from "../../api/api.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Code } from "../../components/copy.tsx";
import { Panel } from "../../components/panel.tsx";
import { useDomain } from "../../frame/domain-frame.tsx";
import { commandsFor } from "./commands.ts";
import styles from "./first-steps.module.css";
import { Step } from "./step.tsx";
import { useRemembered } from "./use-remembered.ts";

/**
 * The five steps of the first day, each ticked by itself when it is taken, with the lines to copy for this
 * installation. The first one that is left is open. The list is a line when all are taken, and where somebody hid it.
 */
export function FirstSteps({ taken }: { taken: CallResult<"getFirstSteps"> }) {
	const { id, slug } = useDomain();
	const [hasKey, setHasKey] = useRemembered(id, "key-copied");
	const [isHidden, setIsHidden] = useRemembered(id, "steps-hidden");
	const [isAsked, setIsAsked] = useState(false);
	const noteKey = () => setHasKey(true);
	const commands = commandsFor(window.location.origin);
	const last4 = useCall("getDomain", {}).data?.key_last4;
	const done = [
		hasKey || taken.uploaded_at !== null,
		taken.uploaded_at !== null,
		taken.played_at !== null,
		taken.webhook_set_at !== null,
		taken.delivered_at !== null,
	];
	const left = done.filter((is) => !is).length;
	const params = { domain: slug };
	if ((left === 0 || isHidden) && !isAsked)
		return (
			<div className="row">
				<span className="muted small">
					{left === 0 ? "All first steps are taken." : `${done.length - left} of ${done.length} first steps are taken.`}
				</span>
				<Button kind="quiet" size="small" onPress={() => setIsAsked(true)}>
					Show them
				</Button>
			</div>
		);
	const hide = () => {
		setIsHidden(true);
		setIsAsked(false);
	};
	const next = done.indexOf(false);
	const step = (index: number) => ({ isDone: done[index] === true, isNext: index === next });
	return (
		<Panel
			title={left === 0 ? "First steps" : `First steps: ${done.length - left} of ${done.length}`}
			actions={
				<Button kind="quiet" size="small" onPress={hide}>
					Hide the steps
				</Button>
			}
		>
			<ol className={styles.steps}>
				<Step {...step(0)} title="Have the API key" at={null}>
					<p>
						Your back end shows it with each request; a page never does. It was shown once when the domain was made
						{last4 === undefined ? "" : `, and ends in ${last4}`}. If nobody has it, make a new one.
					</p>
					<Code text={commands.key} label="Copy the key's lines" onCopied={noteKey} />
					<div className="row">
						<LinkButton to="/d/$domain/keys" params={params}>
							Keys
						</LinkButton>
						<Button kind="quiet" onPress={noteKey}>
							I have it
						</Button>
					</div>
				</Step>
				<Step {...step(1)} title="Upload a video" at={taken.uploaded_at}>
					<Code text={commands.upload} label="Copy the upload command" onCopied={noteKey} />
					<Code text={commands.uploadCode} label="Copy the upload code" onCopied={noteKey} />
					<div className="row">
						<LinkButton kind="primary" to="/d/$domain/upload" params={params}>
							Try it in the browser
						</LinkButton>
					</div>
				</Step>
				<Step {...step(2)} title="Play it" at={taken.played_at}>
					<p>A private video needs a playback key, which your back end mints for each viewer.</p>
					<Code text={commands.play} label="Copy the player's code" />
					<div className="row">
						<LinkButton to="/d/$domain/videos" params={params} search={{ state: "available" }}>
							Play one here
						</LinkButton>
					</div>
				</Step>
				<Step {...step(3)} title="Set a webhook" at={taken.webhook_set_at}>
					<p>It tells your back end when a video is ready, failed, expired or cancelled.</p>
					<Code text={commands.webhook} label="Copy the webhook command" />
					<div className="row">
						<LinkButton to="/d/$domain/webhooks" params={params}>
							Set it here
						</LinkButton>
					</div>
				</Step>
				<Step {...step(4)} title="Take a delivery" at={taken.delivered_at}>
					<p>Verify the signature, and answer with 2xx within 10 seconds.</p>
					<Code text={commands.verify} label="Copy the verification" />
					<div className="row">
						<LinkButton to="/d/$domain/webhooks" params={params}>
							Send a test event
						</LinkButton>
					</div>
				</Step>
			</ol>
		</Panel>
	);
}
