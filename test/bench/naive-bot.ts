import { randomUUID } from 'node:crypto'
import { run } from '@grammyjs/runner'
import fastify from 'fastify'
import { Bot, InlineKeyboard } from 'grammy'
import { openDatabase } from '../../src/database/database.ts'

/**
 * The baseline for purchases: a bot that keeps no promise. It has no transaction, lease, outbox, budget or sealed
 * key, so a lost answer, a crash or a second press costs somebody money. It uses the same tables, so that nothing
 * else differs.
 */
const { env } = process
const { client: prisma } = await openDatabase(env.DATABASE_URL ?? '')
const bot = new Bot(env.TELEGRAM_BOT_TOKEN ?? '', { client: { apiRoot: env.TELEGRAM_API_ROOT ?? '' } })
const server = fastify()

interface Keys {
  sealedKey: string
  sealedSecret: string
}

const ask = async <T>({ sealedKey, sealedSecret }: Keys, path: string, body?: object): Promise<T> => {
  const answer = await fetch(`${env.BUNDLE_API_URL}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': sealedKey, 'x-api-secret': sealedSecret, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`The provider answered ${answer.status}.`)
  return (await answer.json()) as T
}

bot.command('connect', (ctx) => ctx.reply('Send your API key, and your secret on the next line.'))

bot.hears(/^(\S+)\n(\S+)$/, async (ctx) => {
  const [, sealedKey = '', sealedSecret = ''] = ctx.match
  await ask({ sealedKey, sealedSecret }, '/wallet/balance')
  const createdAt = new Date()
  await prisma.member.create({
    data: {
      userId: ctx.chat.id,
      chatId: ctx.chat.id,
      role: 'owner',
      createdAt,
      account: { create: { id: randomUUID(), keyHash: sealedKey, sealedKey, sealedSecret, createdAt } },
    },
  })
  await ctx.reply('Connected.')
})

interface Bundle {
  id: number
  network: string
  volume: string
  price: number
}

bot.hears(/^(024\d{7}) (\w+)$/, async (ctx) => {
  const [, phone = '', volume = ''] = ctx.match
  const { account } = await prisma.member.findUniqueOrThrow({
    where: { userId: ctx.chat.id },
    include: { account: true },
  })
  const { bundles } = await ask<{ bundles: Bundle[] }>(account, '/bundles')
  const bundle = bundles.find((each) => each.network === 'MTN' && each.volume === volume)
  if (!bundle) return ctx.reply('There is no such bundle.')
  const [id, accountId, chatId, now] = [randomUUID(), account.id, ctx.chat.id, new Date()]
  await prisma.purchase.create({
    data: {
      id,
      accountId,
      userId: chatId,
      chatId,
      cause: id,
      state: 'draft',
      lines: '[]',
      createdAt: now,
      expiresAt: now,
    },
  })
  await prisma.order.create({
    data: {
      id,
      purchaseId: id,
      accountId,
      userId: chatId,
      chatId,
      kind: 'single',
      bundleId: bundle.id,
      network: bundle.network,
      volume,
      unitPricePesewas: Math.round(bundle.price * 100),
      quantity: 1,
      placement: 'draft',
      createdAt: now,
      updatedAt: now,
      recipients: { create: { id, accountId, phone } },
    },
  })
  return ctx.reply(`${volume} for ${phone}: GHS ${bundle.price}.`, {
    reply_markup: new InlineKeyboard().text('Confirm', id),
  })
})

const withRecipients = { recipients: true, account: true }

bot.on('callback_query:data', async (ctx) => {
  await ctx.answerCallbackQuery()
  const id = ctx.callbackQuery.data
  const { account, recipients, bundleId, volume } = await prisma.order.update({
    where: { id },
    data: { placement: 'sending' },
    include: withRecipients,
  })
  const phone = recipients[0]?.phone
  const { order } = await ask<{ order: { reference: string } }>(account, '/order', {
    bundle_id: bundleId,
    phone,
    webhook_url: `${env.PUBLIC_URL}/webhooks/${id}`,
  })
  await prisma.order.update({ where: { id }, data: { placement: 'placed', reference: order.reference } })
  await ctx.editMessageText(`${volume} for ${phone}: processing, ${order.reference}.`)
})

server.post<{ Params: { id: string }; Body: { status: string } }>('/webhooks/:id', async (request) => {
  const { id } = request.params
  const { status } = request.body
  const order = await prisma.order.update({ where: { id }, data: { status }, include: withRecipients })
  await bot.api.sendMessage(
    Number(order.chatId),
    `${order.volume} for ${order.recipients[0]?.phone}: ${status}.`,
  )
  return { ok: true }
})

await server.listen({ port: Number(env.PORT) })
const runner = run(bot)
process.once('SIGTERM', async () => {
  await runner.stop()
  process.exit()
})
