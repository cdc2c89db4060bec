-- CreateTable
CREATE TABLE "PriceTier" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "network" TEXT COLLATE "C" NOT NULL,
    "fromMegabytes" INTEGER NOT NULL,
    "ruleKind" TEXT COLLATE "C" NOT NULL,
    "ruleValue" INTEGER NOT NULL,
    "roundPesewas" INTEGER NOT NULL,

    CONSTRAINT "PriceTier_pkey" PRIMARY KEY ("accountId","network","fromMegabytes")
);
