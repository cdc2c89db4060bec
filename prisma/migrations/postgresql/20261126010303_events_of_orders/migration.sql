-- DropIndex
DROP INDEX "Event_digest_key";

-- DropIndex
DROP INDEX "Event_orderId_receivedAt_idx";

-- CreateIndex
CREATE UNIQUE INDEX "Event_orderId_digest_key" ON "Event"("orderId", "digest");
