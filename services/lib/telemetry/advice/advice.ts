export { type Advice, chooseAdvice, MOST_ADVICE } from './choose-advice.ts'
export { type AdviceAction, type Finding, findingsOf } from './findings.ts'
