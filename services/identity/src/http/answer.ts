import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyStore } from '../keys/key-store.ts'
import type { KnownOrigins } from '../limits/known-origins.ts'
import { sessionJwt } from '../sessions/session-jwt.ts'
import { sessionView } from '../sessions/session-view.ts'
import type { OpenSession } from '../sessions/start-session.ts'
import { readBrowser, setBrowserCookie } from './browser-cookie.ts'
import { JWT_COOKIE, SESSION_COOKIE } from './client.ts'

/** Wraps a successful answer in the protocol's envelope. */
export function answer<Data extends object>(request: FastifyRequest, data: Data) {
  return { data: { request_id: request.id, status_code: 200, ...data } }
}

export interface SessionAnswerOptions {
  readonly keys: Pick<KeyStore, 'sign'>
  readonly issuer: string
  readonly projectId: string
  readonly cookies: 'client' | 'http-only'
  readonly cookieDomain: string
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
 * Creates the answer to every way of signing in. With http-only cookies it sets them and leaves the
 * tokens in the body empty, as the client expects.
 */
export function createAnswerSession(options: SessionAnswerOptions): AnswerSession {
  return async (request, reply, { user, session, token }, extra) => {
    const jwt = await options.keys.sign(sessionJwt(session, user, options))
    const isHidden = options.cookies === 'http-only'
    if (isHidden) {
      setCookie(reply, options, SESSION_COOKIE, token, session.expiresAt)
      setCookie(reply, options, JWT_COOKIE, jwt, session.expiresAt)
    }
    return answer(request, {
      user_id: user.user_id,
      user,
      __user: user,
      session: sessionView(session, user),
      session_token: isHidden ? '' : token,
      session_jwt: isHidden ? '' : jwt,
      ...extra,
    })
  }
}

/**
 * Creates the answer to a new sign-in. It stores the browser and network of the person first, so that
 * strangers cannot lock them out there.
 */
export function createAnswerSignIn(options: {
  readonly answerSession: AnswerSession
  readonly origins: KnownOrigins
  readonly oauth: { readonly callbackOrigin: string }
}): AnswerSession {
  const { answerSession, origins, oauth } = options
  return async (request, reply, open, extra) => {
    const browser = setBrowserCookie(reply, oauth, readBrowser(request, oauth))
    await origins
      .remember(open.user.user_id, { ipAddress: request.ip, browser })
      // The origin only helps later sign-ins: an error must not fail this one.
      .catch((error: unknown) =>
        request.log.warn({ err: error }, 'the origin of a sign-in could not be stored'),
      )
    return answerSession(request, reply, open, extra)
  }
}

/** Deletes the session's cookies in the browser. */
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
