import type { FastifyInstance } from 'fastify'
import { AppError } from './app-error.ts'

/** Levels to which objects and lists of a JSON body may be nested. */
export const MAX_JSON_DEPTH = 32

type JsonParser = ReturnType<FastifyInstance['getDefaultJsonParser']>

/**
 * Returns a parser for JSON bodies. It refuses a body that is nested deeper than any valid one before
 * parsing, because later code may recurse once for each level.
 */
export function createJsonParser(app: FastifyInstance, service: string): JsonParser {
  const parse = app.getDefaultJsonParser('error', 'error')
  return (request, body, done) => {
    if (isDeeperThan(MAX_JSON_DEPTH, body)) {
      const detail = `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels.`
      return done(new AppError(`${service}.bad_request`, { detail }), undefined)
    }
    return parse(request, body, done)
  }
}

/**
 * Returns true if brackets outside of strings are nested deeper than `most`. The result has no meaning for
 * text that is not JSON.
 */
export function isDeeperThan(most: number, text: string): boolean {
  let depth = 0
  let isString = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (isString) {
      if (character === backslash) index++
      else if (character === quote) isString = false
    } else if (character === quote) isString = true
    else if (character === openBrace || character === openBracket) {
      depth++
      if (depth > most) return true
    } else if (character === closeBrace || character === closeBracket) depth--
  }
  return false
}

const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = [...'"\\{[}]'].map(character =>
  character.charCodeAt(0),
)
