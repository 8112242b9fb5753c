export const { setTimeout } = globalThis
