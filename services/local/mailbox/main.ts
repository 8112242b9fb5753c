import { resolve } from 'node:path'
import { integer, optional, readEnv, text, url } from '@lapwing/config'
import { createLogger, listenEnv, runService } from '@lapwing/http'
import { createSendReply } from './send-reply.ts'
import { startMailbox } from './start-mailbox.ts'

await runService({
  name: 'mailbox',
  loadConfig: env =>
    readEnv(
      {
        ...listenEnv(8025),
        host: text('HOST', { about: 'Address to listen on.', fallback: '127.0.0.1' }),
        smtpPort: integer('SMTP_PORT', {
          min: 0,
          max: 65535,
          about: 'Port that receives mail, always on 127.0.0.1.',
          fallback: 1025,
        }),
        dataDir: text('DATA_DIR', {
          about: 'Folder of the stored mails.',
          fallback: '.lapwing/mailbox',
        }),
        replyUrl: optional(
          url('TEXT_REPLY_URL', {
            schemes: ['http:', 'https:'],
            about: 'Address that receives the replies to texts; without it they reach nobody.',
            example: 'http://localhost:3000/v1/public/texts/replies',
          }),
        ),
        replySecret: text('TEXT_REPLY_SECRET', { about: 'Secret that signs replies.', fallback: 'local' }),
      },
      env,
    ),
  async start(config) {
    const { app } = await startMailbox({
      folder: resolve(config.dataDir),
      smtpPort: config.smtpPort,
      loopbackOnly: config.host !== '0.0.0.0' && config.host !== '::',
      logger: createLogger('mailbox', config.logLevel),
      sendReply: createSendReply(config.replyUrl, config.replySecret),
    })
    return app
  },
})
