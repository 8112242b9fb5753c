/** A problem that the command shows to the operator as a sentence. */
export class OperatorError extends Error {}
