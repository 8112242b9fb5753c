import { answerCall } from './answer-call.ts'

// Pages of every origin may ask: an answer holds nothing but what the page sent.
window.addEventListener('message', event => {
  event.ports[0]?.postMessage(answerCall(event.data))
})
