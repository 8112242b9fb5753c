export { createDispatcher, type Dispatcher, type Subscriber } from './dispatcher.ts'
export { type EventHandlers, eventsPath, receiveEvents } from './inbox.ts'
export { type EventPayload, enqueueEvent } from './outbox.ts'
export { createOutboxTables, type EventTables } from './tables.ts'
