/** Prints OUTCOME and exits; exits with an error if that is "failed". */
console.log(process.env.OUTCOME)
process.exitCode = process.env.OUTCOME === 'failed' ? 4 : 0
