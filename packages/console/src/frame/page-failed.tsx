import type { ErrorComponentProps } from "@tanstack/react-router";
import { Page } from "../components/page.tsx";
import { ViewFailed } from "../loading/view-failed.tsx";
import { FrontDoor } from "./front-door.tsx";

const title = "This page failed";

/** What stands in the whole page's place if the frame itself failed. */
export const PageFailed = ({ error }: ErrorComponentProps) => (
	<FrontDoor title={title}>
		<ViewFailed error={error} />
	</FrontDoor>
);

/** What stands in the frame if what holds a view failed. */
export const PartFailed = ({ error, reset }: ErrorComponentProps) => (
	<Page title={title}>
		<ViewFailed error={error} onRetry={reset} />
	</Page>
);
