/**
 * Loaded into the bot before its own code (`node --import`). When the sandbox ends, for whatever reason, its channel
 * closes, and the bot gets SIGTERM. The bot itself knows nothing of the tether.
 */

/** How long the bot may take to stop before it is killed, in ms: the time that it promises for SIGTERM. */
const stopsWithinMs = 10_000

process.on('disconnect', () => {
  setTimeout(() => process.exit(1), stopsWithinMs).unref()
  process.kill(process.pid, 'SIGTERM')
})
process.channel?.unref()
