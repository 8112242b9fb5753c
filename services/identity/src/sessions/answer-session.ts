import type { FastifyReply, FastifyRequest } from 'fastify'
import { answer } from '../http/answer.ts'
import { readBrowser, setBrowserCookie } from '../http/browser-cookie.ts'
import { JWT_COOKIE, SESSION_COOKIE } from '../http/client.ts'
import type { KeyStore } from '../keys/key-store.ts'
import type { KnownOrigins } from '../limits/known-origins.ts'
import type { SecondFactorPolicy } from '../work.ts'
import { isComplete } from './second-factor.ts'
import { sessionJwt } from './session-jwt.ts'
import { sessionView } from './session-view.ts'
import type { OpenSession } from './start-session.ts'

export interface SessionAnswerOptions {
  readonly keys: Pick<KeyStore, 'sign'>
  readonly issuer: string
  readonly projectId: string
  readonly cookies: 'client' | 'http-only'
  readonly cookieDomain: string
  readonly secondFactor: SecondFactorPolicy
}

export type AnswerSession = <Extra extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  open: OpenSession,
  extra: Extra,
) => Promise<ReturnType<typeof answer<SignedIn & Extra>>>

interface SignedIn {
  readonly user_id: string
  readonly user: OpenSession['user']
  readonly __user: OpenSession['user']
  readonly session: ReturnType<typeof sessionView>
  readonly session_token: string
  readonly session_jwt: string
}

/**
 * Creates the answer to every way of signing in. If HTTP-only cookies carry the session, sets them. The
 * tokens in the body are then empty, from which the client knows it.
 */
export function createAnswerSession(options: SessionAnswerOptions): AnswerSession {
  return async (request, reply, { user, session, token }, extra) => {
    const jwt = await options.keys.sign(sessionJwt(session, user, options))
    const isHttpOnly = options.cookies === 'http-only'
    if (isHttpOnly) {
      setCookie(reply, options, SESSION_COOKIE, token, session.expiresAt)
      setCookie(reply, options, JWT_COOKIE, jwt, session.expiresAt)
    }
    return answer(request, {
      user_id: user.user_id,
      user,
      __user: user,
      session: sessionView(session, user),
      session_token: isHttpOnly ? '' : token,
      session_jwt: isHttpOnly ? '' : jwt,
      ...extra,
    })
  }
}

/**
 * Creates the answer to a sign-in. It first stores the origin of the sign-in, so that failed attempts of
 * others do not lock the person out there. An origin without the second factor of the account stays a
 * stranger's.
 */
export function createAnswerSignIn(options: {
  readonly answerSession: AnswerSession
  readonly origins: KnownOrigins
  readonly oauth: { readonly callbackOrigin: string }
  readonly secondFactor: SecondFactorPolicy
}): AnswerSession {
  const { answerSession, origins, oauth, secondFactor } = options
  return async (request, reply, open, extra) => {
    const browser = setBrowserCookie(reply, oauth, readBrowser(request, oauth))
    if (isComplete(open.session, open.user, secondFactor)) {
      await origins
        .remember(open.user.user_id, { ipAddress: request.ip, browser })
        // A stored origin helps only the next sign-in, so its failure must not fail this one.
        .catch((error: unknown) => request.log.warn({ err: error }, 'a sign-in could not be remembered'))
    }
    return answerSession(request, reply, open, extra)
  }
}

/** Removes the session's cookies from the browser, if cookies carry it. */
export function clearCookies(
  reply: FastifyReply,
  options: Pick<SessionAnswerOptions, 'cookies' | 'cookieDomain'>,
): void {
  if (options.cookies === 'client') return
  for (const name of [SESSION_COOKIE, JWT_COOKIE]) setCookie(reply, options, name, '', new Date(0))
}

function setCookie(
  reply: FastifyReply,
  { cookieDomain }: Pick<SessionAnswerOptions, 'cookieDomain'>,
  name: string,
  value: string,
  expires: Date,
): void {
  reply.setCookie(name, value, {
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'lax',
    expires,
    ...(cookieDomain !== '' && { domain: cookieDomain }),
  })
}
