/** Accepts every mail and stores none. Prints the address of each. */
import { SMTPServer } from 'smtp-server'

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData(stream, { envelope }, done) {
    stream.resume().once('end', () => {
      console.log(envelope.rcptTo.map(({ address }) => address).join(' '))
      done()
    })
  },
})
server.on('error', error => console.error(error.message))
server.listen(1025)
process.once('SIGTERM', () => process.exit())
