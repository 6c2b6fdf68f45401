import * as z from "zod";
import { DomainPage } from "../operations/admin-domains.ts";
import { ConsoleAccountPage } from "../operations/console-accounts.ts";
import { OutroList } from "../operations/outros.ts";
import { ServiceAccountPage } from "../operations/service-accounts.ts";
import { UpdateVisibility, VideoPage } from "../operations/videos.ts";
import { WebhookDeliveryPage } from "../operations/webhooks.ts";
import { CheckRequest, CheckStep, Difference } from "../resources/check.ts";
import { Json, Timestamp } from "../resources/common.ts";
import { ConsoleAccount, ConsoleSession, CreateConsoleSession, UpdateConsoleAccount } from "../resources/console.ts";
import { Domain, DomainConfig, DomainConfigPatch, DomainLimits, Visibility } from "../resources/domain.ts";
import { CreateDomain, CreatedDomain, RequestedTranscripts, UpdateDomain } from "../resources/domain-admin.ts";
import { ErrorBody } from "../resources/error.ts";
import { Health, Readiness } from "../resources/health.ts";
import {
	Chunks,
	ClaimByIdRequest,
	ClaimRequest,
	CompleteRequest,
	FailRequest,
	Heartbeat,
	HeartbeatRequest,
	Job,
	JobState,
	NextChunkRequest,
	OfferChunksRequest,
	OfferedChunks,
	OutputUrls,
	OutputUrlsRequest,
	ServiceToken,
	ServiceTokenRequest,
} from "../resources/job.ts";
import { CreatedOutro, CreateOutro, Outro } from "../resources/outro.ts";
import { CreatePlaybackKey, PlaybackKey } from "../resources/playback-key.ts";
import { PlaybackEpoch, PlaybackRevocation, RevokePlaybackKeys } from "../resources/revocation.ts";
import { KeyRotation, RotateKey, WebhookSecretRotation } from "../resources/rotation.ts";
import { SandboxSession } from "../resources/sandbox.ts";
import {
	CreatedServiceAccount,
	CreateServiceAccount,
	RotatedServiceAccount,
	ServiceAccount,
} from "../resources/service-account.ts";
import { Stats } from "../resources/stats.ts";
import {
	AdminStorageLocation,
	AdminStorageLocationList,
	StorageLocation,
	StorageLocationList,
	StorageProfile,
	StorageVerification,
	StorageView,
} from "../resources/storage.ts";
import { Transcript } from "../resources/transcript.ts";
import { LimitsView, Usage } from "../resources/usage.ts";
import {
	CreatedVideo,
	CreateVideo,
	FailureReason,
	Rendition,
	TranscriptStatus,
	UploadTicket,
	Video,
	VideoOutputs,
	VideoReport,
	VideoState,
} from "../resources/video.ts";
import { WebhookDelivery, WebhookEvent } from "../resources/webhook.ts";

/** Schemas of request bodies, by the names that the document gives them. */
export const requestSchemas = {
	CheckRequest,
	ClaimByIdRequest,
	ClaimRequest,
	CompleteRequest,
	CreateConsoleSession,
	CreateDomain,
	CreateOutro,
	CreatePlaybackKey,
	CreateServiceAccount,
	CreateVideo,
	DomainConfigPatch,
	FailRequest,
	HeartbeatRequest,
	NextChunkRequest,
	OfferChunksRequest,
	OutputUrlsRequest,
	RevokePlaybackKeys,
	RotateKey,
	ServiceTokenRequest,
	StorageProfile,
	UpdateConsoleAccount,
	UpdateDomain,
	UpdateVisibility,
} as const;

/** Schemas of response bodies and of the webhook's body, by name. */
export const responseSchemas = {
	AdminStorageLocation,
	AdminStorageLocationList,
	CheckStep,
	Chunks,
	ConsoleAccount,
	ConsoleAccountPage,
	ConsoleSession,
	CreatedDomain,
	RequestedTranscripts,
	CreatedOutro,
	CreatedServiceAccount,
	CreatedVideo,
	Difference,
	Domain,
	DomainConfig,
	DomainLimits,
	DomainPage,
	ErrorBody,
	Health,
	Heartbeat,
	Job,
	JobState,
	KeyRotation,
	LimitsView,
	OfferedChunks,
	OutputUrls,
	Outro,
	OutroList,
	PlaybackEpoch,
	PlaybackKey,
	PlaybackRevocation,
	Readiness,
	Rendition,
	RotatedServiceAccount,
	SandboxSession,
	ServiceAccount,
	ServiceAccountPage,
	ServiceToken,
	Stats,
	StorageLocation,
	StorageLocationList,
	StorageVerification,
	StorageView,
	Transcript,
	UploadTicket,
	Usage,
	Video,
	VideoOutputs,
	VideoPage,
	VideoReport,
	WebhookDelivery,
	WebhookDeliveryPage,
	WebhookEvent,
	WebhookSecretRotation,
} as const;

const sharedByRequests = { Json };
const sharedByResponses = { FailureReason, Timestamp, TranscriptStatus, VideoState, Visibility };

type JsonSchema = Record<string, unknown>;
const uri = (id: string): string => `#/components/schemas/${id}`;
const names = new Map<z.ZodType, string>(
	Object.entries({ ...requestSchemas, ...responseSchemas }).map(([name, schema]) => [schema, name]),
);

/** A reference to the component of a body's schema. Throws if the schema has no name: every body must have one. */
export function reference(schema: z.ZodType): { $ref: string } {
	const name = names.get(schema);
	if (name === undefined) throw new Error("A request or response body is not among the named schemas.");
	return { $ref: uri(name) };
}

/** What zod adds for its own checks, and other languages' generators stumble over. */
function tidy(schema: JsonSchema): void {
	if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
	if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
	if (schema.format !== undefined) delete schema.pattern;
	delete schema.propertyNames;
}

function convert(schemas: Record<string, z.ZodType>, io: "input" | "output"): Record<string, JsonSchema> {
	const registry = z.registry<{ id: string }>();
	for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
	const converted = z.toJSONSchema(registry, {
		uri,
		io,
		unrepresentable: "throw",
		override: ({ jsonSchema }) => {
			tidy(jsonSchema);
			// A field added to a response must not break a generated client; requests stay closed.
			if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
		},
	}).schemas as Record<string, JsonSchema>;
	return Object.fromEntries(
		Object.entries(converted).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema]),
	);
}

/** All named schemas as JSON Schema 2020-12, requests by what a caller writes and responses by what is sent. */
export function componentSchemas(): Record<string, JsonSchema> {
	return {
		...convert({ ...requestSchemas, ...sharedByRequests }, "input"),
		...convert({ ...responseSchemas, ...sharedByResponses }, "output"),
	};
}
