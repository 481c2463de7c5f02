package main

// The numbers of the paper: Supp. sections "Func2C" to "Joint Optimization of
// SGD hyperparameters and architecture", means and standard errors of 5 runs at
// 100 evaluations; of 4 runs at 200 evaluations for nas. Its TPE is hyperopt's,
// its BOHB that of HpBandSter.

var paperFunc2C = map[string]published{
	"smac": {0.0060, 0.0387}, "hyperopt": {-0.1917, 0.0053},
	"adddif": {-0.1167, 0.0472}, "proddif": {-0.2060, 0.0002}, "moddif": {-0.0662, 0.0463},
	"addlap": {-0.1669, 0.0127}, "prodlap": {-0.2060, 0.0001}, "modlap": {-0.2063, 0.0000},
	"cocabo-0.0": {-0.1594, 0.0130}, "cocabo-0.5": {-0.2025, 0.0018}, "cocabo-1.0": {-0.1861, 0.0090},
}

var paperFunc3C = map[string]published{
	"smac": {0.1194, 0.0723}, "hyperopt": {-0.4068, 0.1204},
	"adddif": {-0.3979, 0.1555}, "proddif": {-0.7100, 0.0106}, "moddif": {-0.0977, 0.0742},
	"addlap": {-0.3156, 0.1125}, "prodlap": {-0.7213, 0.0005}, "modlap": {-0.7215, 0.0004},
	"cocabo-0.0": {-0.6730, 0.0274}, "cocabo-0.5": {-0.7202, 0.0016}, "cocabo-1.0": {-0.7139, 0.0051},
}

var paperAckley5C = map[string]published{
	"smac": {2.3809, 0.1648}, "hyperopt": {1.8601, 0.1248},
	"adddif": {0.0040, 0.0015}, "proddif": {0.0152, 0.0044}, "moddif": {0.0008, 0.0003},
	"addlap": {0.0042, 0.0018}, "prodlap": {0.0177, 0.0038}, "modlap": {0.0186, 0.0057},
	"cocabo-0.0": {1.4986, 0.2012}, "cocabo-0.5": {1.3720, 0.2110}, "cocabo-1.0": {1.8114, 0.2168},
}

var paperSVM = map[string]published{
	"smac": {4.7588, 0.1414}, "hyperopt": {4.3986, 0.1632},
	"adddif": {4.9463, 0.4960}, "proddif": {4.1857, 0.0017}, "moddif": {4.1876, 0.0012},
	"addlap": {4.5600, 0.2014}, "prodlap": {4.1856, 0.0012}, "modlap": {4.1864, 0.0015},
	"cocabo-0.0": {4.4122, 0.1703}, "cocabo-0.5": {4.1957, 0.0040}, "cocabo-1.0": {4.1958, 0.0037},
}

var paperXGBoost = map[string]published{
	"smac": {0.1215, 0.0045}, "hyperopt": {0.1084, 0.0007},
	"adddif": {0.1046, 0.0001}, "proddif": {0.1045, 0.0003}, "moddif": {0.1071, 0.0013},
	"addlap": {0.1048, 0.0007}, "prodlap": {0.1044, 0.0001}, "modlap": {0.1038, 0.0003},
	"cocabo-0.0": {0.1184, 0.0062}, "cocabo-0.5": {0.1079, 0.0010}, "cocabo-1.0": {0.1086, 0.0008},
}

var paperNAS = map[string]published{
	"bohb": {7.158e-2, 1.0303e-3}, "re": {7.067e-2, 1.1417e-3}, "modlap": {6.850e-2, 3.7914e-4},
}

// dataSets are the sets of Supp. Table "Regression", means and standard errors of
// 20 splits.
var dataSets = []dataSet{
	{
		name: "meta", title: "Meta-data",
		nll: map[string]published{
			"adddif": {16.0224, 3.9906}, "proddif": {9.5198, 3.7116}, "moddif": {5.9377, 1.9872},
			"addlap": {1.6805, 0.1847}, "prodlap": {1.3236, 0.3539}, "modlap": {1.1218, 0.2987},
		},
		rmse: map[string]published{
			"adddif": {1.0223, 0.1601}, "proddif": {1.1537, 0.1654}, "moddif": {1.4074, 0.2027},
			"addlap": {1.0199, 0.1588}, "prodlap": {1.0898, 0.1642}, "modlap": {1.0920, 0.1626},
		},
	},
	{
		name: "servo", title: "Servo",
		nll: map[string]published{
			"adddif": {4.2362, 0.6115}, "proddif": {0.9579, 0.4758}, "moddif": {503.9973, 486.4679},
			"addlap": {3.7083, 0.5001}, "prodlap": {0.7008, 0.3385}, "modlap": {1.0790, 0.4607},
		},
		rmse: map[string]published{
			"adddif": {0.5696, 0.0310}, "proddif": {0.3023, 0.0408}, "moddif": {0.7308, 0.0910},
			"addlap": {0.5709, 0.0311}, "prodlap": {0.2971, 0.0405}, "modlap": {0.3046, 0.0412},
		},
	},
	{
		name: "optical", title: "Optical",
		nll: map[string]published{
			"adddif": {7.5504, 0.4867}, "proddif": {0.2132, 0.2050}, "moddif": {10.0005, 0.2934},
			"addlap": {7.5568, 0.4897}, "prodlap": {0.2135, 0.1928}, "modlap": {0.1521, 0.2265},
		},
		rmse: map[string]published{
			"adddif": {0.2577, 0.0052}, "proddif": {0.1413, 0.0060}, "moddif": {0.7881, 0.0069},
			"addlap": {0.2577, 0.0052}, "prodlap": {0.1417, 0.0059}, "modlap": {0.1400, 0.0063},
		},
	},
}
