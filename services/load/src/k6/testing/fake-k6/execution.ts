/** The part of `k6/execution` that the scripts use. A test counts the iterations. */
export default { scenario: { iterationInTest: 0 } }
