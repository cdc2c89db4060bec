-- CreateTable
CREATE TABLE "PriceTier" (
    "accountId" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "fromMegabytes" INTEGER NOT NULL,
    "ruleKind" TEXT NOT NULL,
    "ruleValue" INTEGER NOT NULL,
    "roundPesewas" INTEGER NOT NULL,

    PRIMARY KEY ("accountId", "network", "fromMegabytes")
);
