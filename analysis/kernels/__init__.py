from analysis.kernels.cache import choose_folder

choose_folder()
