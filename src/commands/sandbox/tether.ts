/**
 * Loaded into the bot before its own code (`node --import`). When the sandbox ends for any reason, the channel
 * between both closes, and the bot gets SIGTERM. The bot's code does not know about this.
 */

/** In ms. A bot that has not stopped by then is killed; the bot promises to stop within this time after SIGTERM. */
const stopsWithinMs = 10_000

process.on('disconnect', () => {
  setTimeout(() => process.exit(1), stopsWithinMs).unref()
  process.kill(process.pid, 'SIGTERM')
})
process.channel?.unref()
