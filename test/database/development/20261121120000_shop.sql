-- DropIndex
DROP INDEX "Notice_setAsideAt_chatId_id_idx";

-- DropIndex
DROP INDEX "Order_accountId_createdAt_idx";

-- AlterTable
ALTER TABLE "Account" ADD COLUMN "forgetAt" DATETIME;

-- AlterTable
ALTER TABLE "Chat" ADD COLUMN "menu" TEXT;

-- AlterTable
ALTER TABLE "Invitation" ADD COLUMN "accountId" TEXT;
ALTER TABLE "Invitation" ADD COLUMN "revokedAt" DATETIME;

-- AlterTable
ALTER TABLE "Notice" ADD COLUMN "quietUntil" DATETIME;

-- AlterTable
ALTER TABLE "Order" ADD COLUMN "agentName" TEXT;
ALTER TABLE "Order" ADD COLUMN "deliverySeconds" INTEGER;
ALTER TABLE "Order" ADD COLUMN "reportTo" BIGINT;
ALTER TABLE "Order" ADD COLUMN "sellUnitPesewas" INTEGER;

-- CreateTable
CREATE TABLE "Shop" (
    "accountId" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT,
    "ruleKind" TEXT,
    "ruleValue" INTEGER NOT NULL DEFAULT 0,
    "roundPesewas" INTEGER NOT NULL DEFAULT 1,
    "nameAskedAt" DATETIME
);

-- CreateTable
CREATE TABLE "SellingPrice" (
    "accountId" TEXT NOT NULL,
    "bundleId" INTEGER NOT NULL,
    "pricePesewas" INTEGER NOT NULL,

    PRIMARY KEY ("accountId", "bundleId")
);

-- CreateTable
CREATE TABLE "Preference" (
    "userId" BIGINT NOT NULL PRIMARY KEY,
    "notify" TEXT NOT NULL DEFAULT 'final',
    "quietFrom" INTEGER,
    "quietTo" INTEGER,
    "lowBalancePesewas" INTEGER,
    "lowBalanceToldAt" DATETIME,
    "defaultNetwork" TEXT,
    "freeRepeatPesewas" INTEGER,
    "summaryHour" INTEGER,
    "summaryAt" DATETIME,
    "summaryToldTo" DATETIME,
    "timeZone" TEXT NOT NULL DEFAULT 'Africa/Accra'
);

-- CreateTable
CREATE TABLE "Customer" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "agentId" BIGINT NOT NULL DEFAULT 0,
    "phone" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "nameKey" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "BookChange" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "agentId" BIGINT NOT NULL,
    "entries" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Enquiry" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "orderId" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "customerChatId" BIGINT NOT NULL,
    "cause" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "answerCause" TEXT,
    "answeredAt" DATETIME,
    "blockedAt" DATETIME
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Member" (
    "userId" BIGINT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "role" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "name" TEXT,
    "invitedBy" BIGINT,
    "dailyLimitPesewas" INTEGER,
    "networks" TEXT,
    "pausedAt" DATETIME,
    "told" TEXT NOT NULL DEFAULT 'problems',
    CONSTRAINT "Member_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
INSERT INTO "new_Member" ("accountId", "chatId", "createdAt", "role", "userId") SELECT "accountId", "chatId", "createdAt", "role", "userId" FROM "Member";
DROP TABLE "Member";
ALTER TABLE "new_Member" RENAME TO "Member";
CREATE INDEX "Member_accountId_idx" ON "Member"("accountId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "Preference_summaryAt_idx" ON "Preference"("summaryAt");

-- CreateIndex
CREATE INDEX "Customer_accountId_agentId_nameKey_idx" ON "Customer"("accountId", "agentId", "nameKey");

-- CreateIndex
CREATE UNIQUE INDEX "Customer_accountId_agentId_phone_key" ON "Customer"("accountId", "agentId", "phone");

-- CreateIndex
CREATE INDEX "BookChange_accountId_agentId_idx" ON "BookChange"("accountId", "agentId");

-- CreateIndex
CREATE INDEX "BookChange_createdAt_idx" ON "BookChange"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Enquiry_cause_key" ON "Enquiry"("cause");

-- CreateIndex
CREATE INDEX "Enquiry_customerChatId_createdAt_idx" ON "Enquiry"("customerChatId", "createdAt");

-- CreateIndex
CREATE INDEX "Enquiry_orderId_idx" ON "Enquiry"("orderId");

-- CreateIndex
CREATE INDEX "Enquiry_accountId_idx" ON "Enquiry"("accountId");

-- CreateIndex
CREATE INDEX "Enquiry_answerCause_idx" ON "Enquiry"("answerCause");

-- CreateIndex
CREATE INDEX "Follow_chatId_createdAt_idx" ON "Follow"("chatId", "createdAt");

-- CreateIndex
CREATE INDEX "Invitation_accountId_idx" ON "Invitation"("accountId");

-- CreateIndex
CREATE INDEX "Notice_setAsideAt_chatId_id_quietUntil_idx" ON "Notice"("setAsideAt", "chatId", "id", "quietUntil");

-- CreateIndex
CREATE INDEX "Order_history_idx" ON "Order"("accountId", "createdAt", "purchaseId", "placement", "status", "network", "userId", "kind", "reference", "id");

-- CreateIndex
CREATE INDEX "Order_accountId_network_idx" ON "Order"("accountId", "network");

-- CreateIndex
CREATE INDEX "Order_accountId_userId_createdAt_idx" ON "Order"("accountId", "userId", "createdAt");

-- CreateIndex
CREATE INDEX "Recipient_orderId_status_reported_idx" ON "Recipient"("orderId", "status", "reported");
