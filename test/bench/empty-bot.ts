import { Bot } from 'grammy'

/** The baseline for any grammY bot: one `sendMessage` for each update. */
const { TELEGRAM_BOT_TOKEN: token = '', TELEGRAM_API_ROOT: apiRoot = '' } = process.env
const bot = new Bot(token, { client: { apiRoot } })
bot.use(async (ctx) => {
  if (ctx.chat) await ctx.reply('This bot answers every update with this sentence.')
})
process.once('SIGTERM', () => void bot.stop())
await bot.start()
