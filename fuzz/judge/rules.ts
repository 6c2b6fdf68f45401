/**
 * What is checked of every answer, in the words of findings and of the guide. The rules for headers are in
 * `headers.ts`.
 */
export const rules = {
	described: "every answer is one of the document",
	noFault: "no 5xx",
	answered: "every request is answered within 10 s",
	opened: "nobody gets in without the right credential",
	apart: "another tenant's things are as if they were not there",
	kept: "no answer holds what is another's, or a secret",
	named: "every answer has an x-request-id",
	bodiless: "an answer to HEAD has no body",
	notSmuggled: "no request is smuggled",
	inOrder: "requests on one connection are answered in order",
	whole: "every answer is whole",
} as const;
