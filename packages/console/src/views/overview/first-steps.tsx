import type { CallResult } from "@reelmill/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useCall } from "../../api/api.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Code } from "../../components/copy.tsx";
import { Panel } from "../../components/panel.tsx";
import { useDomain } from "../../frame/domain-frame.tsx";
import { ChooseVideos } from "../../uploads/choose-videos.tsx";
import { DropZone } from "../../uploads/drop-zone.tsx";
import { useStaged } from "../../uploads/staged.ts";
import { commandsFor } from "./commands.ts";
import styles from "./first-steps.module.css";
import { Step } from "./step.tsx";
import { useRemembered } from "./use-remembered.ts";

/**
 * The five steps of the first day, each ticked by itself when it is taken, with the lines to copy for this
 * installation. The first one that is left is open until a video is there. The list is a line when all are taken, and
 * where somebody hid it.
 */
export function FirstSteps({ taken }: { taken: CallResult<"getFirstSteps"> }) {
	const { id, slug } = useDomain();
	const [hasKey, setHasKey] = useRemembered(id, "key-copied");
	const [isHidden, setIsHidden] = useRemembered(id, "steps-hidden");
	const [isAsked, setIsAsked] = useState(false);
	const { stage } = useStaged();
	const navigate = useNavigate();
	const noteKey = () => setHasKey(true);
	const commands = commandsFor(window.location.origin);
	const last4 = useCall("getDomain", {}).data?.key_last4;
	const done = [
		taken.uploaded_at !== null,
		taken.played_at !== null,
		hasKey || taken.delivered_at !== null,
		taken.webhook_set_at !== null,
		taken.delivered_at !== null,
	];
	const left = done.filter((is) => !is).length;
	const params = { domain: slug };
	const upload = (files: readonly File[]) => {
		stage(files);
		void navigate({ to: "/d/$domain/upload", params });
	};
	if ((left === 0 || isHidden) && !isAsked)
		return (
			<div className="row">
				<DropZone onFiles={upload} />
				<span className="muted">
					{left === 0
						? "You have taken all first steps."
						: `${done.length - left} of ${done.length} first steps are taken.`}
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
	const next = taken.uploaded_at === null ? done.indexOf(false) : -1;
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
			<DropZone onFiles={upload} />
			<ol className={styles.steps}>
				<Step {...step(0)} title="Upload a video" at={taken.uploaded_at}>
					<ChooseVideos onFiles={upload}>or drop them anywhere on this page.</ChooseVideos>
					<p className="muted">From your own machine or your back end:</p>
					<Code text={commands.upload} label="Copy the upload command" onCopied={noteKey} />
					<Code text={commands.uploadCode} label="Copy the upload code" onCopied={noteKey} />
				</Step>
				<Step {...step(1)} title="Play it" at={taken.played_at}>
					<div className="row">
						<LinkButton to="/d/$domain/videos" params={params} search={{ state: "available" }}>
							Play one here
						</LinkButton>
					</div>
					<p className="muted">On your own page. A private video needs a playback key, which your back end makes.</p>
					<Code text={commands.play} label="Copy the player's code" />
				</Step>
				<Step {...step(2)} title="Give your back end the API key" at={null}>
					<p className="muted">
						Your back end sends it with each request; a page never does. It was shown once, when the domain was made
						{last4 === undefined ? "" : `, and ends in ${last4}`}. If nobody kept it, rotate it.
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
				<Step {...step(3)} title="Set a webhook" at={taken.webhook_set_at}>
					<p className="muted">
						It tells your back end when a video is ready, has failed, has expired or was cancelled.
					</p>
					<div className="row">
						<LinkButton to="/d/$domain/webhooks" params={params}>
							Set it here
						</LinkButton>
					</div>
					<Code text={commands.webhook} label="Copy the webhook command" />
				</Step>
				<Step {...step(4)} title="Receive an event" at={taken.delivered_at}>
					<p className="muted">Verify the signature, and answer with 2xx within 10 seconds.</p>
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
